/**
 * From a file to a {@link org.troupe.descriptors.Descriptor}. Read {@link
 * org.troupe.descriptors.read.DescriptorReader} first: it calls the steps of reading in their
 * order.
 *
 * <p>The checked element tree of package {@code xml} comes in; {@code ReferenceChecks} and {@code
 * MachineChecks} report problems that concern several elements; {@code DescriptorDocument} binds
 * the tree to records with the values of the file, and {@code DescriptorBuilder} turns these into
 * the model. This is the top of the module: no other package of it may import this one.
 */
@NullMarked
package org.troupe.descriptors.read;

import org.jspecify.annotations.NullMarked;
