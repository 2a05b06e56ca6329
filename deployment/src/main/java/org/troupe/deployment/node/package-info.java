/** What runs in the JVMs of nodes; it loads none of the launcher's libraries. */
package org.troupe.deployment.node;
