/**
 * The XML deployment descriptor, which says where the JVMs of a program come from: {@link
 * org.troupe.descriptors.Descriptor#read} turns a file into immutable records or reports everything
 * that is wrong with it, each with line, column and remedy. Nothing here starts anything.
 *
 * <p>A file passes through {@code SourceText} (characters), {@code XmlDocument} (well-formed, with
 * places), {@code StructureChecks} (known elements and attributes), {@code Variables} and {@code
 * ValueChecks} (final texts of the right types), {@code ReferenceChecks} (names that lead
 * somewhere) and {@code Document} (binding) before it is a {@code Descriptor}. A new kind of
 * infrastructure is a record permitted by {@code Infrastructure}, its shape in {@code
 * ElementSchema} and {@code troupe.xsd}, and its entry in {@code Document}.
 */
package org.troupe.descriptors;
