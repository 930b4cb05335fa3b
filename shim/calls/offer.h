/* offer.h - what a program asks of clsizer itself: the functions of clsizer.h. */
#ifndef CLSIZER_SHIM_OFFER_H
#define CLSIZER_SHIM_OFFER_H

/* The function of this name; NULL: it is none of them. */
void *offer_function(const char *name);

#endif
