/** Object graphs as bytes. */
package org.troupe.serialization;
