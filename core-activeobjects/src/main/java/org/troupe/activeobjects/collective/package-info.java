/**
 * The services of the runtime for typed groups. Exported to {@code org.troupe.groups} and to models
 * that communicate as groups do.
 *
 * <p>A {@code GroupCall} is one call on many objects, whose replies a {@code ReplyInterceptor} may
 * process at the called objects. A {@code BodyExtension} is state that an object carries for a
 * group, and the target of packets between members. A {@code RequestGate} holds back requests at a
 * barrier. A {@code BodyVisit} is work at each object in its turn, and {@code ObjectImages} makes
 * and restores the images of members. {@code IndefiniteArticle} words the names of classes in
 * messages of the core and of these modules alike. {@code Collectives} gives access to all of them;
 * read it first. The runtime implements it and is found by the service loader, so that this package
 * knows none of its rooms.
 */
@NullMarked
package org.troupe.activeobjects.collective;

import org.jspecify.annotations.NullMarked;
