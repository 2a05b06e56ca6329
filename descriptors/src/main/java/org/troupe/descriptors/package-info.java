/** The XML deployment descriptor. */
package org.troupe.descriptors;
