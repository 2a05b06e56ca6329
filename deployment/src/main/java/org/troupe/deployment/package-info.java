/** From a descriptor to running nodes. */
package org.troupe.deployment;
