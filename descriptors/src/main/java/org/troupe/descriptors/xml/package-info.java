/**
 * XML files with the line and column of every element and attribute: parsing, includes, variables,
 * and checks against a schema that allow better messages than a validator's. The solver reads its
 * problem files with it, too. Read {@link org.troupe.descriptors.xml.XmlForm} first.
 *
 * <p>{@code SourceText} and {@code TagScanner} find the positions, {@code XmlDocument} builds the
 * {@code Element} tree, {@code StructureChecks} compares it with the {@code ElementSchema}, {@code
 * VariableResolver} and {@code ValueChecks} replace variables and check values; a {@code
 * ProblemCollector} gathers every problem. This package does not know what an element of a
 * descriptor means: it must not use the records of {@code Infrastructure}.
 */
@NullMarked
package org.troupe.descriptors.xml;

import org.jspecify.annotations.NullMarked;
