/* offer.h - what a program asks of clsizer itself: the functions of clsizer.h. */
#pragma once

/* The function of this name; NULL: it is none of them. */
void *offer_function(const char *name);
