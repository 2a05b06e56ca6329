/**
 * Which classes may be named by what arrives, and where they are found: here, or at the node that
 * named them.
 *
 * <p>Begin with {@link ClassAccess}. Other nodes are seen as providers of classes only.
 */
package org.troupe.activeobjects.internal.classes;
