/** The verb that makes a new project, and the installation that the project refers to. */
@NullMarked
package org.troupe.cli.project;

import org.jspecify.annotations.NullMarked;
