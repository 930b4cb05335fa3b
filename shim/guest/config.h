/* config.h - configuration files: the options of a machine (/etc/clsizer.conf) and of a user
 * ($XDG_CONFIG_HOME/clsizer.conf or ~/.config/clsizer.conf).
 *
 * Lines are "OPTION = VALUE", with the names that the launcher's options have, or "OPTION" alone; what
 * follows a # is a remark.  A file counts only if it belongs to the user or root, and nobody else may write
 * to it. */
#pragma once

/* What is told of a line: its file and number, and what it says; `value` is NULL without a "=". */
typedef void config_take(const char *path, unsigned line, const char *name, const char *value, void *context);

/* Read the file and tell of its settings in their order.  0, also if there is no file, or negative errno if
 * it does not count. */
int config_read(const char *path, config_take *take, void *context);
