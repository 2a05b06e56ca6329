/** The command line. */
package org.troupe.cli;
