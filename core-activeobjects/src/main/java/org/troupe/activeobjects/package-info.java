/** Active objects: ordinary objects with a request queue, callable from anywhere on the grid. */
package org.troupe.activeobjects;
