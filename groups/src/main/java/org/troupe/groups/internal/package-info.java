/** What others load by name. */
package org.troupe.groups.internal;
