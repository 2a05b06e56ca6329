/**
 * The XML deployment descriptor as immutable records: which virtual nodes a program has and which
 * infrastructure their JVMs come from. Read {@link org.troupe.descriptors.Descriptor} first.
 *
 * <p>{@code DescriptorReader.read} makes these records from a file, or reports everything that is
 * wrong with it, each problem with line, column and remedy. A file passes through {@code
 * SourceText} (characters), {@code XmlDocument} (well-formed XML with positions), {@code
 * StructureChecks} (known elements and attributes), {@code VariableResolver} and {@code
 * ValueChecks} (final texts of the right types), {@code ReferenceChecks} (names that refer to
 * declared elements) and {@code DescriptorDocument} (binding) before it is a {@code Descriptor}.
 *
 * <p>A new kind of infrastructure is a record permitted by {@link
 * org.troupe.descriptors.Infrastructure}, an element in {@code ElementSchema} and in {@code
 * troupe.xsd}, a list in {@code DescriptorDocument}, and its translation in {@code
 * DescriptorBuilder}. {@code SchemaBindingTest} fails if one of them is missing.
 *
 * <p>The model knows neither XML nor files; it starts nothing. Below it is only {@code text}.
 */
@NullMarked
package org.troupe.descriptors;

import org.jspecify.annotations.NullMarked;
