/** The verbs about the sites that users have described. */
@NullMarked
package org.troupe.cli.site;

import org.jspecify.annotations.NullMarked;
