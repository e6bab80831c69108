#include "view/console/console_words.h"

#include <stdlib.h>
#include <string.h>

#include "view/html.h"

const struct console_words console_words_english = { .language = "en" };

const char *const console_sentences[CONSOLE_SENTENCES] = {
	[CONSOLE_NAME] = "Daymark",
	[CONSOLE_SKIP] = "Skip to the content",
	[CONSOLE_SIGN_IN] = "Sign in",
	[CONSOLE_SIGN_OUT] = "Sign out",
	[CONSOLE_USER_OF] = "{user}, {role} of {account}",
	[CONSOLE_PASSWORD] = "Password",
	[CONSOLE_WRONG_PASSWORD] = "The name or the password is wrong.",
	[CONSOLE_TOO_MANY_TRIES] = "There were too many tries. Please try again in {seconds} s.",
	[CONSOLE_TOO_BUSY] = "Too many passwords are being checked now. Please try again.",
	[CONSOLE_FORGOT] = "You have no password, or forgot it? The person who runs this service "
			   "can make a link for you.",
	[CONSOLE_WELCOME] = "Welcome, {user}",
	[CONSOLE_CHOOSE_PASSWORD] = "Choose a password. You sign in with the name {user}.",
	[CONSOLE_PASSWORD_HINT] = "At least 10 characters. A sentence is easy to remember.",
	[CONSOLE_SET_PASSWORD] = "Set the password and sign in",
	[CONSOLE_ENTER] = "Open the console",
	[CONSOLE_SETUP] = "Set up your access",
	[CONSOLE_SETUP_TEXT] =
		"The file setup.token beside daymark.conf proves that this installation is yours. "
		"You become an owner of the account, and the file is deleted.",
	[CONSOLE_SETUP_FILE] =
		"To prove that this installation is yours, make a text file with the name "
		"setup.token beside daymark.conf. Its content is at least 32 characters, in one "
		"line, that nobody can guess. Then open this page again.",
	[CONSOLE_SETUP_BAD] = "There is such a file, but its content is too short or too long, or "
			      "the program may not read it.",
	[CONSOLE_SETUP_WRONG] = "The file has another content.",
	[CONSOLE_SETUP_STUCK] = "Nothing was changed: the program may not delete the file "
				"setup.token. Let its user "
				"write to the folder of the file.",
	[CONSOLE_DEAD_LINK] = "This link does not work",
	[CONSOLE_DEAD_LINK_TEXT] = "The link was used, or it is too old. The person who runs this "
				   "service can make another one.",
	[CONSOLE_PROBLEM] = "This did not work",
	[CONSOLE_403_FORM] = "The form is too old, or it was sent from another site. Nothing was "
			     "changed. Go back, reload the page, and send the form again.",
	[CONSOLE_403] = "Your role does not allow this. Nothing was changed.",
	[CONSOLE_404] = "There is nothing at this address, or it was deleted.",
	[CONSOLE_409] = "This form was sent before, with other values. Nothing was changed.",
	[CONSOLE_429] = "There were too many requests. Please try again in a minute.",
	[CONSOLE_503] = "The service cannot do this at the moment. Please try again.",
	[CONSOLE_OTHER] = "Something is wrong. The log of the service has the reason.",
	[CONSOLE_BACK] = "Go to the start",
	[CONSOLE_NOW] = "Now",
	[CONSOLE_ALL_WELL] = "Nothing is down.",
	[CONSOLE_DOWN_NOW] = "Open incidents: {count}",
	[CONSOLE_MORE] = "Incidents that began earlier",
	[CONSOLE_SINCE] = "since {time} ({duration})",
	[CONSOLE_IS_DOWN] = "{monitor} is down",
	[CONSOLE_NO_TITLE] = "Incident",
	[CONSOLE_SYSTEMS] = "Systems: {names}",
	[CONSOLE_CAUSE] = "Cause, which is not public: {cause}",
	[CONSOLE_LAST_UPDATE] = "Last update: {text}",
	[CONSOLE_TAKEN] = "{who} has it, since {time}.",
	[CONSOLE_TAKEN_BY_SOMEBODY] = "Somebody has it, since {time}.",
	[CONSOLE_NOT_TAKEN] = "Nobody has it yet.",
	[CONSOLE_TAKE] = "I have it",
	[CONSOLE_PROMISED] = "Next update promised for {time}.",
	[CONSOLE_OVERDUE] = "The update promised for {time} is {duration} late.",
	[CONSOLE_PUBLISH] = "Publish the update",
	[CONSOLE_POSTED] = "The update is posted.",
	[CONSOLE_TAKEN_NOW] = "You have it.",
	[CONSOLE_SHOW_PAGE] = "As visitors see it",
	[CONSOLE_NEEDS_YOU] = "Needs a person",
	[CONSOLE_NEEDS_NOTHING] = "Nothing else needs a person.",
	[CONSOLE_OVERDUE_PROMISES] = "Incidents whose promised update is late: {count}",
	[CONSOLE_FAILED_DELIVERIES] = "Messages that could not be delivered, in 24 hours: {count}",
	[CONSOLE_SUSPENDED_CHANNELS] = "Alert channels that are suspended: {count}",
	[CONSOLE_SUSPENDED_SUBSCRIBERS] = "Subscribers who are suspended: {count}",
	[CONSOLE_UNPUBLISHED_PAGES] = "Pages whose changes are not published: {count}",
	[CONSOLE_MAINTENANCE_NOW] = "Maintenance windows under way: {count}",
	[CONSOLE_MAINTENANCE_NEXT] = "The next maintenance begins {time}.",
	[CONSOLE_CUT_OFF] = "The checker has been cut off from the network for {duration}.",
	[CONSOLE_MIRROR_BEHIND] = "The mirror {name} is behind: {reason}",
	[CONSOLE_PENDING_UPDATES] = "Texts that wait for a second person: {count}",
	[CONSOLE_PENDING] = "Waits for a second person: {kind} by {who}.",
	[CONSOLE_SHOW_INCIDENT] = "Show the incident",
	[CONSOLE_DECLINE] = "Decline",
	[CONSOLE_DECLINED] = "The text is declined, and was not published.",
	[CONSOLE_ANOTHER_PERSON] = "You have written this: another person must publish it.",
	[CONSOLE_POSTED_PENDING] = "A page demands a second person. Your text is published when "
				   "another person agrees.",
	[CONSOLE_MESSAGES_WAIT] =
		"Messages to subscribers wait for {seconds} s. If you withdraw the update before, "
		"none of them has its text. Alert channels do not wait.",
	[CONSOLE_EDIT_OR_WITHDRAW] = "Edit or withdraw",
	[CONSOLE_WITHDRAWN] = "The update is withdrawn.",
	[CONSOLE_AUDIENCE] = "Will get this: subscribers by e-mail {mail}, by webhook {webhook}; "
			     "alert channels {channels}.",
	[CONSOLE_AUDIENCE_AT_MOST] =
		"Will get this, as far as they follow the systems: subscribers by e-mail {mail}, "
		"by webhook {webhook}; alert channels {channels}.",
	[CONSOLE_NO_AUDIENCE] = "Nobody gets a message about this: there is no subscriber and no "
				"alert channel. The pages show it.",
	[CONSOLE_SENDS_NOTHING] = "This service sends no messages. The pages show this.",
	[CONSOLE_SENDS_NO_MAIL] = "This service sends no mail.",
	[CONSOLE_REPORT] = "Report an incident",
	[CONSOLE_PUBLISH_INCIDENT] = "Publish the incident",
	[CONSOLE_REPORTED] = "The incident is reported.",
	[CONSOLE_SEARCH_SYSTEMS] = "Find systems first, before you write",
	[CONSOLE_SEARCH] = "Search",
	[CONSOLE_PREVIEW] = "Preview",
	[CONSOLE_NO_PREVIEW] = "There is no preview",
	[CONSOLE_PREVIEW_NO_PAGE] = "No page would show this.",
	[CONSOLE_PREVIEW_MAIL] = "Mail to subscribers",
	[CONSOLE_PREVIEW_NO_MAIL] = "Subscribers of this page get no mail of this.",
	[CONSOLE_PREVIEW_FEED] = "Entry of the feed",
	[CONSOLE_PREVIEW_OTHER] = "The page “{page}” would show this, too.",
	[CONSOLE_UPDATES] = "Updates",
	[CONSOLE_NO_UPDATES] = "No update yet.",
	[CONSOLE_OLDER_ON_PAGE] = "The page of the incident has the older updates.",
	[CONSOLE_REPLY] = "Post an update",
	[CONSOLE_POSTMORTEM] = "Title and post-mortem",
	[CONSOLE_POSTMORTEM_NOW] = "Post-mortem, as published",
	[CONSOLE_SAVE] = "Save and publish",
	[CONSOLE_SAVED] = "The change is saved.",
	[CONSOLE_REPEATED] = "You have sent this form before, and nothing more was done. A link, a "
			     "key or codes are shown only once: make new ones if you have not "
			     "kept them.",
	[CONSOLE_CHANGED_MEANWHILE] = "Somebody else has changed the incident meanwhile. Compare "
				      "the texts, and save again.",
	[CONSOLE_LOST_APP] = "You have lost your phone? Type a recovery code. Without one, an "
			     "owner of the account or the person who runs this service can reset "
			     "your access.",
	[CONSOLE_WRONG_CODE] = "The code is wrong, or was used before. Wait for the next one.",
	[CONSOLE_STEP_TOO_OLD] = "Too much time has passed. Please sign in again.",
	[CONSOLE_TOO_MANY_CODES] = "There were too many wrong codes. A recovery code still works; "
				   "otherwise try again in {seconds} s.",
	[CONSOLE_SESSION_ENDED] = "Your session has ended. Sign in, and your text will be here.",
	[CONSOLE_KEPT] = "Your text is still here",
	[CONSOLE_KEPT_TEXT] = "The form was not sent, since you had been signed out. Check the "
			      "text, and send it.",
	[CONSOLE_KEPT_ELSEWHERE] =
		"The form belongs to another of your accounts, and was not sent. "
		"Change to that account, and your text will be here.",
	[CONSOLE_SEND] = "Send the form",
	[CONSOLE_CHANGE_ACCOUNT] = "Change the account",
	[CONSOLE_CONFIRM] = "Is it you?",
	[CONSOLE_CONFIRM_TEXT] = "This change is sensitive, and you have signed in more than 10 "
				 "minutes ago. Nothing is changed before you continue.",
	[CONSOLE_CONTINUE] = "Continue",
	[CONSOLE_CONTINUE_AS] = "Continue as {user}",
	[CONSOLE_NOBODY] = "The web server does not know who you are. Sign in there first, and "
			   "reload this page.",
	[CONSOLE_UNKNOWN_PERSON] = "You have no access to this console. An owner of the account "
				   "can give access to your identity:",
	[CONSOLE_SIGNED_OUT] = "You are signed out",
	[CONSOLE_SIGNED_OUT_TEXT] = "The console has ended your session. Continue to the sign-out "
				    "of the web server.",
	[CONSOLE_WRONG_CONFIRM] =
		"The password, the code or the passkey is wrong, or was used before.",
	[CONSOLE_FACTOR] = "Authenticator app",
	[CONSOLE_NO_FACTOR] = "Your password is all that a stranger needs. With an app on your "
			      "phone, the sign-in also asks for a code.",
	[CONSOLE_SET_UP_APP] = "Set up an authenticator app",
	[CONSOLE_FACTOR_SINCE] = "The sign-in asks for a code of your app, since {time}. Recovery "
				 "codes left: {count}.",
	[CONSOLE_NEW_CODES] = "Make new recovery codes",
	[CONSOLE_REMOVE_APP] = "Remove the app",
	[CONSOLE_SCAN] = "Scan this image with an authenticator app.",
	[CONSOLE_OR_TYPE] = "Or type this key into the app:",
	[CONSOLE_CODES] = "Your recovery codes",
	[CONSOLE_CODES_TEXT] = "Keep these codes where your phone is not. Each lets you sign in "
			       "once without the app. They are not shown again.",
	[CONSOLE_DONE] = "I have kept them",
	[CONSOLE_CHANGE_PASSWORD] = "Change the password",
	[CONSOLE_PASSWORD_CHANGED] = "The password is changed, and your other sessions have ended.",
	[CONSOLE_FACTOR_REMOVED] = "The app is removed. The sign-in asks for the password only.",
	[CONSOLE_PASSKEYS] = "Passkeys",
	[CONSOLE_PASSKEYS_TEXT] = "With a passkey you sign in by the lock of your device, without "
				  "password and code. Passkeys need a browser that supports them, "
				  "script, and HTTPS.",
	[CONSOLE_MANAGE_PASSKEYS] = "Add or remove passkeys",
	[CONSOLE_ADD_PASSKEY] = "Add a passkey",
	[CONSOLE_USE_PASSKEY] = "Use a passkey",
	[CONSOLE_REMOVE_PASSKEY] = "Remove the passkey",
	[CONSOLE_PASSKEY_OF] = "Added {time}, last used {used}.",
	[CONSOLE_PASSKEY_UNUSED] = "Added {time}, not used yet.",
	[CONSOLE_PASSKEY_FAILED] = "The browser has given no passkey. Please try again.",
	[CONSOLE_WRONG_PASSKEY] = "The passkey does not work here, or too much time has passed. "
				  "Please try again.",
	[CONSOLE_SESSIONS] = "Sessions",
	[CONSOLE_NO_SESSIONS] = "There is no session.",
	[CONSOLE_SESSION_OF] = "From {address}, since {time}, last used {used}.",
	[CONSOLE_BY_PASSWORD_ALONE] = "Signed in with a password.",
	[CONSOLE_BY_PASSWORD_AND_APP] = "Signed in with password and app.",
	[CONSOLE_BY_LINK] = "Signed in by a link.",
	[CONSOLE_BY_LINK_AND_APP] = "Signed in by a link, with the app.",
	[CONSOLE_BY_PASSKEY] = "Signed in with a passkey.",
	[CONSOLE_BY_FRONT] = "Signed in by single sign-on.",
	[CONSOLE_UNKNOWN_BROWSER] = "Unknown browser",
	[CONSOLE_THIS_SESSION] = "This is the session that you use now.",
	[CONSOLE_END_SESSION] = "End this session",
	[CONSOLE_END_SESSIONS] = "End all other sessions",
	[CONSOLE_SESSION_GONE] = "The session has ended.",
	[CONSOLE_ME] = "My access",
	[CONSOLE_PREFERENCES] = "Language, colours and time zone",
	[CONSOLE_SAVE_PREFERENCES] = "Save",
	[CONSOLE_AS_BROWSER] = "As the browser says",
	[CONSOLE_NEEDS_FACTOR] = "This account demands a second factor. Set up an authenticator "
				 "app at My access; or "
				 "add a passkey there, sign out, and sign in with it.",
	[CONSOLE_NEEDS_PASSKEY] =
		"This account demands a second factor. Sign out, and sign in with your passkey; or "
		"set up an authenticator app at My access.",
	[CONSOLE_LACKS_FACTOR] = "No second factor.",
	[CONSOLE_SECOND_FACTOR] = "Second factor",
	[CONSOLE_SAVE_FACTOR] = "Save the demand",
	[CONSOLE_PEOPLE] = "People",
	[CONSOLE_INVITE] = "Invite a person",
	[CONSOLE_MORE_PEOPLE] = "More people",
	[CONSOLE_PERSON_DELETED] = "The person has no access to this account any more.",
	[CONSOLE_PERSON_LINK] = "A link for this person",
	[CONSOLE_PERSON_LINK_TEXT] =
		"Give the link to the person. It works once, for a day, and is not "
		"shown again. The person chooses a password there.",
	[CONSOLE_PERSON_LINK_APP] =
		"Give the link to the person. It works once, for a day, and is not "
		"shown again. When it is used, the authenticator app, the "
		"recovery codes and the passkeys are removed.",
	[CONSOLE_DISABLED] = "Disabled.",
	[CONSOLE_NO_PASSWORD] = "Has not set a password yet.",
	[CONSOLE_HAS_APP] = "Signs in with password and app.",
	[CONSOLE_HAS_PASSKEY] = "Signs in with a password, or a passkey.",
	[CONSOLE_HAS_ALL] = "Signs in with password and app, or a passkey.",
	[CONSOLE_HAS_SSO] = "Signs in by single sign-on.",
	[CONSOLE_HAS_PASSWORD] = "Signs in with a password only.",
	[CONSOLE_LAST_SIGN_IN] = "Last sign-in: {time}.",
	[CONSOLE_NO_SIGN_IN] = "Has never signed in.",
	[CONSOLE_SAVE_ROLE] = "Change the role",
	[CONSOLE_ACCESS] = "Access",
	[CONSOLE_ACCESS_TEXT] = "A reset makes a link to set a new password. The authenticator "
				"app and the passkeys stay unless the box is checked. A disabled "
				"person is signed out at once.",
	[CONSOLE_RESET] = "Make a link to reset the access",
	[CONSOLE_ENABLE] = "Let the person sign in again",
	[CONSOLE_DISABLE] = "Disable the person",
	[CONSOLE_DELETE_PERSON] = "Remove the person from the account",
	[CONSOLE_PRESENT_ACCOUNT] = "You work in this account now.",
	[CONSOLE_WORK_HERE] = "Work in this account",
	[CONSOLE_INCIDENTS] = "Incidents",
	[CONSOLE_MAINTENANCE] = "Maintenance",
	[CONSOLE_ADD_MAINTENANCE] = "Plan maintenance",
	[CONSOLE_MONITORS] = "Systems",
	[CONSOLE_ADD_MONITOR] = "Add a system",
	[CONSOLE_CHECK_NOW] = "Check now",
	[CONSOLE_CHANGE_CHOSEN] = "Change the chosen systems",
	[CONSOLE_CHANGED_COUNT] = "Systems that have changed: {count}",
	[CONSOLE_RETIRE] = "Retire: keep the incidents, hide the system",
	[CONSOLE_DELETE] = "Delete",
	[CONSOLE_GRAVE] = "This cannot be undone.",
	[CONSOLE_PAGES] = "Pages",
	[CONSOLE_ADD_PAGE] = "Add a page",
	[CONSOLE_GENERAL] = "General",
	[CONSOLE_DESIGN] = "Design",
	[CONSOLE_PAGE_SYSTEMS] = "Systems and order",
	[CONSOLE_PLACE] = "Place",
	[CONSOLE_PLACE_TEXT] =
		"Check the systems that the page shows. Another number moves a system to that "
		"place; without a number a system comes last.",
	[CONSOLE_NOT_SHOWN] = "not on the page",
	[CONSOLE_PAGE_ACCESS] = "Access",
	[CONSOLE_SUBSCRIBERS] = "Subscribers",
	[CONSOLE_ADD_SUBSCRIBER] = "Add a subscriber who has consented",
	[CONSOLE_PAGE_LINKS] = "Signed links",
	[CONSOLE_ADD_LINK] = "Sign a link",
	[CONSOLE_WITHDRAW] = "Withdraw",
	[CONSOLE_TEMPLATES] = "Templates of incidents",
	[CONSOLE_ADD_TEMPLATE] = "Add a template",
	[CONSOLE_TEMPLATE] = "Template",
	[CONSOLE_USE_TEMPLATE] = "Use the template",
	[CONSOLE_CHANNELS] = "Alert channels",
	[CONSOLE_ADD_CHANNEL] = "Add an alert channel",
	[CONSOLE_SEND_TEST] = "Send a test message",
	[CONSOLE_DELIVERIES] = "Messages",
	[CONSOLE_SEND_AGAIN] = "Send again",
	[CONSOLE_KEYS] = "API keys",
	[CONSOLE_ADD_KEY] = "Create a key",
	[CONSOLE_REVOKE] = "Revoke",
	[CONSOLE_AUDIT] = "Changes",
	[CONSOLE_PAGE_REPORTS] = "Reports",
	[CONSOLE_RESPONSE_TIMES] = "Response times",
	[CONSOLE_SAVE_CSV] = "Save as CSV",
	[CONSOLE_SHARE] = "Share",
	[CONSOLE_SHARE_ADDRESS] = "Address",
	[CONSOLE_SHARE_ATOM] = "Feed of updates",
	[CONSOLE_SHARE_CALENDAR] = "Calendar of maintenance, as soon as some is planned",
	[CONSOLE_SHARE_BADGE] = "Badge with the state, for a web page",
	[CONSOLE_SHARE_SCRIPT] = "State in a frame of your site, by a script",
	[CONSOLE_SHARE_FRAME] = "The same without a script",
	[CONSOLE_IMPORT] = "Add subscribers who have consented, from CSV",
	[CONSOLE_EXPORT] = "Get all subscribers as CSV",
	[CONSOLE_HEALTH] = "Health of the service",
	[CONSOLE_MORE_SCREENS] = "More",
	[CONSOLE_MORE_SETTINGS] = "More settings",
	[CONSOLE_BY_API] = "The same by the API",
	[CONSOLE_NONE_FOUND] = "There is nothing to show.",
	[CONSOLE_PREVIOUS] = "Previous",
	[CONSOLE_NEXT] = "Next",
	[CONSOLE_CHOOSE] = "Choose the type.",
	[CONSOLE_RESULT] = "Done",
	[CONSOLE_RESULT_ONCE] = "Copy what you need: secrets are not shown again.",
	[CONSOLE_STORED_NOW] = "Now: {value}",
	[CONSOLE_OBJECT_CHANGED] = "Somebody else has changed this meanwhile. Nothing was saved. "
				   "Compare the values, and save again.",
	[CONSOLE_ACCEPTED] = "Daymark does this now.",
	[CONSOLE_DELETED] = "Deleted.",
	[CONSOLE_ADDED] = "Added.",
	[CONSOLE_YES] = "yes",
	[CONSOLE_NO] = "no",
	[CONSOLE_ANY] = "–",
	[CONSOLE_IN_SECONDS] = "(seconds)",
	[CONSOLE_PUBLIC] = "Public",
	[CONSOLE_PRIVATE] = "Private",
	[CONSOLE_BY_PASSWORD] = "With a password",
	[CONSOLE_NO_PROMISE] = "No promise",
	[CONSOLE_KEEP_PROMISE] = "As promised: {time}",
	[CONSOLE_WITHDRAW_PROMISE] = "Withdraw the promise",
	[CONSOLE_IN_30_MINUTES] = "In 30 minutes: {time}",
	[CONSOLE_IN_1_HOUR] = "In 1 hour: {time}",
	[CONSOLE_IN_4_HOURS] = "In 4 hours: {time}",
	[CONSOLE_IN_1_DAY] = "Tomorrow: {time}",
	[CONSOLE_UNCHANGED] = "Unchanged",
	[CONSOLE_IMPACT_NONE] = "No impact",
	[CONSOLE_DEGRADED] = "Degraded performance",
	[CONSOLE_PARTIAL] = "Partial outage",
	[CONSOLE_MAJOR] = "Major outage",
	[CONSOLE_INVESTIGATING] = "Investigating",
	[CONSOLE_IDENTIFIED] = "Identified",
	[CONSOLE_MONITORING] = "Monitoring",
	[CONSOLE_RESOLVED] = "Resolved",
	[CONSOLE_REPEATS_NOT] = "Does not repeat",
	[CONSOLE_REPEATS_WEEKLY] = "Every week, on the same weekday",
	[CONSOLE_REPEATS_2_WEEKS] = "Every second week, on the same weekday",
	[CONSOLE_REPEATS_MONTHLY] = "Every month, on the same day (such as day 15)",
	[CONSOLE_REPEATS_NTH_WEEKDAY] =
		"Every month, on the same weekday (such as the second Sunday)",
	[CONSOLE_REPEATS_OTHER] = "Another rule",
	[CONSOLE_OTHER_RULE] = "The other rule, as RFC 5545 has it, such as FREQ=YEARLY",
	[CONSOLE_EVERY_DAY] = "Every day",
	[CONSOLE_EVERY_2_DAYS] = "Every second day",
	[CONSOLE_EVERY_WEEK] = "Every week",
	[CONSOLE_EVERY_2_WEEKS] = "Every second week",
	[CONSOLE_EVERY_MONTH] = "Every month",
	[CONSOLE_EVERY_2_MONTHS] = "Every second month",
	[CONSOLE_EVERY_3_MONTHS] = "Every third month",
	[CONSOLE_EVERY_YEAR] = "Every year",
	[CONSOLE_EVERY_ON] = "{every}: {days}",
	[CONSOLE_DAY_OF_MONTH] = "day {day}",
	[CONSOLE_LAST_OF_MONTH] = "the last day",
	[CONSOLE_FIRST_WEEKDAY] = "the first {weekday}",
	[CONSOLE_SECOND_WEEKDAY] = "the second {weekday}",
	[CONSOLE_THIRD_WEEKDAY] = "the third {weekday}",
	[CONSOLE_FOURTH_WEEKDAY] = "the fourth {weekday}",
	[CONSOLE_LAST_WEEKDAY] = "the last {weekday}",
	[CONSOLE_RULE_COUNT] = "{rule} ({count} ×)",
	[CONSOLE_RULE_UNTIL] = "{rule}, until {date}",
	[CONSOLE_SUNDAY] = "Sunday",
	[CONSOLE_MONDAY] = "Monday",
	[CONSOLE_TUESDAY] = "Tuesday",
	[CONSOLE_WEDNESDAY] = "Wednesday",
	[CONSOLE_THURSDAY] = "Thursday",
	[CONSOLE_FRIDAY] = "Friday",
	[CONSOLE_SATURDAY] = "Saturday",
	[CONSOLE_NEXT_TIMES] = "Next times ({zone})",
	[CONSOLE_IN_ZONE_BELOW] = "(in the time zone below)",
	[CONSOLE_READER] = "reader",
	[CONSOLE_RESPONDER] = "responder",
	[CONSOLE_EDITOR] = "editor",
	[CONSOLE_OWNER] = "owner",
};

const struct console_words *console_words_of(const char *language)
{
	for (size_t i = 0; i < console_language_count; i++)
		if (strcmp(console_languages[i].language, language) == 0)
			return &console_languages[i];
	return &console_words_english;
}

const char *console_translation(const struct console_words *words, const char *english)
{
	const char *const *found =
		words->count > 0 ? bsearch(&english, words->translations, words->count,
					   sizeof(words->translations[0]), str_compare_texts)
				 : NULL;
	return found ? found[1] : NULL;
}

const char *console_translate(const struct console_words *words, const char *english)
{
	const char *translation = console_translation(words, english);
	return translation ? translation : english;
}

/* The value with this name; NULL: the sentence has a name that the caller does not know. */
static const char *find_value(const struct word_value *values, struct str name)
{
	for (; values && values->name; values++)
		if (str_eq(str_from(values->name), name))
			return values->text;
	return NULL;
}

void console_fill(struct buf *out, const char *sentence, const struct word_value *values,
		  bool are_html)
{
	for (const char *at = sentence; *at;) {
		const char *brace = strchr(at, '{'), *end = brace ? strchr(brace, '}') : NULL;
		if (!end) {
			buf_puts(out, at);
			return;
		}
		const struct str name = { brace + 1, (size_t)(end - brace - 1) };
		const char *value = find_value(values, name);
		buf_add(out, at, (size_t)(brace - at));
		if (are_html)
			buf_puts(out, value ? value : "");
		else
			html_text(out, value ? value : "");
		at = end + 1;
	}
}

/* The sentences themselves have no characters that HTML escapes: a test compares them. */
void console_say(struct buf *out, const struct console_words *words, enum console_sentence sentence,
		 const struct word_value *values)
{
	console_fill(out, console_translate(words, console_sentences[sentence]), values, false);
}

void console_say_html(struct buf *out, const struct console_words *words,
		      enum console_sentence sentence, const struct word_value *values)
{
	console_fill(out, console_translate(words, console_sentences[sentence]), values, true);
}
