/** Fields as files of other programs and as pictures; knows nothing of distribution. */
package org.troupe.em3d.views;
