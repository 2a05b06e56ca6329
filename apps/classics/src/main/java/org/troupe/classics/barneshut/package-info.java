/** Stars that attract each other, far ones as one, with what others need sent ahead. */
package org.troupe.classics.barneshut;
