/** What the programs by which Manta, JavaParty and MPJava were judged have in common. */
package org.troupe.classics;
