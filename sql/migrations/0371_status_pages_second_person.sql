-- The few pages of an account that demand a second person: each update of an incident asks for them.
ALTER TABLE status_pages ADD KEY status_pages_second_person (account_id, needs_second_person)
