/* region.h - a part of a C function that is marked, as a function of its own. */
#pragma once

/* `text` where the region that `function` means is a function of this name, in place of the one that it
 * stands in: what it uses and does not declare are parameters, but for variables that it sets first and that
 * nothing behind it reads (a loop around it is not looked at).  A region lies between lines `#pragma clsizer
 * begin [NAME]` and `#pragma clsizer end`; meant is the one of that name, or without a name the one in the
 * function, or the one in any if there is no function of that name.  No line moves.  Owned by the caller;
 * NULL: no region is meant, or *why says why it cannot be; owned, too. */
char *region_text(const char *text, const char *function, char **why);
