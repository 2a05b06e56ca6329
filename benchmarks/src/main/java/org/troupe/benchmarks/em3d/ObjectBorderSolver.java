package org.troupe.benchmarks.em3d;

import java.util.LinkedList;
import org.troupe.em3d.maxwell.PolynomialOrder;
import org.troupe.em3d.mesh.MeshPart;
import org.troupe.em3d.physics.FieldKind;
import org.troupe.em3d.physics.Physics;
import org.troupe.em3d.run.SubDomainSolver;

/**
 * A sub-domain that sends each border as a linked list with an object for each vector, as the first
 * solver of this kind in Java did. Slow on purpose: it shows how a transport handles many small
 * objects.
 */
public class ObjectBorderSolver extends SubDomainSolver {

  /** Creates a solver like {@link SubDomainSolver}. */
  public ObjectBorderSolver(
      MeshPart part, Physics physics, PolynomialOrder order, int threads, boolean isShown) {
    super(part, physics, order, threads, isShown);
  }

  @Override
  protected void sendBorder(SubDomainSolver neighbour, FieldKind field, int from, double[] values) {
    ((ObjectBorderSolver) neighbour).objectBorder(field, from, BorderVector.list(values));
  }

  /** Receives the border vectors of a neighbour. */
  public void objectBorder(FieldKind field, int from, LinkedList<BorderVector> vectors) {
    border(field, from, BorderVector.array(vectors));
  }
}
