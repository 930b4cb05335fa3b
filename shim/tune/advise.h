/* advise.h - what would make a kernel faster that clsizer cannot change (select/advise). */
#pragma once

#include "shim/site/launching.h"

/* The kernel is known: tell the report, once, what is advised for the site's launches, as they are made if
 * that is decided, else as the program makes them.  Nothing is done where nobody reads it.  The site
 * must be locked. */
void advise_launch(const struct launching *l);
