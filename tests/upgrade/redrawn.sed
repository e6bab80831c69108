# What the new version draws anew: compare removes it from the recorded text and from the new one, since no rule makes one of the
# other. tests/unit/view tests the new. Empty again with differences.sed.

# Systems have their scale and figure below each strip; folded groups have a strip; days tell their incidents.
/^<section class="all/,/^<\/section>/d

# Planned maintenance comes below the systems.
/^<section aria-labelledby="upcoming">/,/^<\/section>/d

# Three calendars, in place of links to months.
/^<nav class="months" aria-labelledby/,/^<\/nav>/d
/^<section aria-labelledby="months">/,/^<\/section>/d

# The page of an incident begins with the link to the page.
/^<p class="back">/d

# Updates tell what they change, and have a link; two of an open incident are whole.
/^<ul class="chips">$/,/^<\/ul>/d
s/ id="update-[0-9]+"//
s/<a class="at" href="[^"]*">(<time[^>]*>[^<]*<\/time>)<\/a>/\1/g
/^<(ol class="updates"|\/ol)>$/d
/^<details class="earlier">/d
/^<\/details>$/d

# What is open says for how long.
s/, [^<,]*<span class="len">[^<]*<\/span>//g

# Previews of links have the name of the site, and the size of their picture.
/^<meta (property="og:(site_name|image:(width|height))"|name="twitter:card") /d

# The pages of months link to the reports of their months.
/^<a href="report-[0-9-]*\.html">/d
