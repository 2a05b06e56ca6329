package org.troupe.activeobjects.internal.membership;

import java.lang.ref.WeakReference;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.troupe.activeobjects.hosting.NodeActivity.ClassLine;
import org.troupe.activeobjects.internal.body.Body;

/** The objects of a node by class, while a sweep counts them. */
final class ClassTotals {

  private static final Comparator<ClassLine> BY_INTEREST =
      Comparator.comparingLong(ClassLine::queued)
          .thenComparingLong(ClassLine::objects)
          .reversed()
          .thenComparing(ClassLine::type);

  private final Map<Class<?>, Total> totals = new HashMap<>();
  private int others;

  private static final class Total {
    private long objects;
    private long queued;
    private long serving;
    private int longest;
    private @Nullable WeakReference<Body> itsBody; // weak: a sweep must keep no object

    void add(Body body) {
      var its = body.queued();
      objects++;
      queued += its;
      serving += body.inService() == null ? 0 : 1;
      if (its > longest) {
        longest = its;
        itsBody = new WeakReference<>(body);
      }
    }

    ClassLine line(String type, boolean isWhole) {
      var known = itsBody == null ? null : itsBody.get();
      return new ClassLine(
          type,
          objects,
          queued,
          serving,
          longest,
          known == null ? "" : known.identityText(),
          isWhole);
    }
  }

  void add(Body body) {
    totals.computeIfAbsent(body.type().type(), _ -> new Total()).add(body);
  }

  /** Counts an entry of the table that stands for no object of the program. */
  void addOther() {
    others++;
  }

  /** Returns how many entries stand for no object of the program. */
  int others() {
    return others;
  }

  /** Returns the classes, those with most requests first, then those with most objects. */
  List<ClassLine> lines(boolean isWhole) {
    return totals.entrySet().stream()
        .map(each -> each.getValue().line(each.getKey().getName(), isWhole))
        .sorted(BY_INTEREST)
        .toList();
  }
}
