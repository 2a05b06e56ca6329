package org.troupe.classics.superoptimizer;

import java.util.List;
import java.util.Map;
import org.troupe.activeobjects.ActiveObjects;
import org.troupe.activeobjects.Options;
import org.troupe.classics.KernelProgram;
import org.troupe.classics.NumberChecksum;
import org.troupe.classics.ProgramNodes;
import org.troupe.classics.ProgramVersion;
import org.troupe.classics.ResultCheck;
import org.troupe.futures.Futures;
import org.troupe.groups.Groups;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Finds the shortest sequences of instructions that compute a function, by exhaustive search: a
 * producer generates them, and testers with bounded queues try them.
 *
 * <p>H. Massalin, Superoptimizer: a look at the smallest program, ASPLOS 1987; one of the programs
 * that measured JavaParty's compiler (R. Veldema and M. Philippsen, Compiler optimized remote
 * method invocation, IEEE Cluster 2003).
 */
@Command(
    name = "superoptimizer",
    description = "Finds the shortest code of a function by exhaustive search (JavaParty).")
public final class Superoptimizer extends KernelProgram<List<String>> {

  /** Massalin's first result: four instructions without a jump. */
  private static final String MASSALINS_SIGNUM = "add d0,d0; subx d1,d1; negx d0; addx d1,d1 -> d1";

  private static final int MOST_INSTRUCTIONS = 16;
  private static final int MOST_SEQUENCES = 1_000_000;

  @Option(
      names = "--function",
      paramLabel = "less|signum|abs",
      description = "the function that the code computes")
  private TargetFunction function;

  @Option(names = "--longest", paramLabel = "N", description = "the largest number of instructions")
  private Integer longest;

  @Option(
      names = "--tails",
      paramLabel = "N",
      description = "the number of last instructions that the testers generate themselves")
  private Integer tails;

  @Option(names = "--batch", paramLabel = "N", description = "the number of sequences per call")
  private Integer batch;

  @Option(
      names = "--queue",
      paramLabel = "N",
      description = "the number of calls that may wait at a tester")
  private Integer queue;

  public static void main(String[] arguments) {
    main(new Superoptimizer(), arguments);
  }

  @Override
  protected void prepareProblem(int nodes, List<String> wrong) {
    function = orPreset(function, TargetFunction.less, TargetFunction.signum, TargetFunction.abs);
    longest = orPreset(longest, 3, 4, 6);
    tails = orPreset(tails, 1, 0, 3);
    batch = orPreset(batch, 8, 16, 16);
    queue = orPreset(queue, 4, 64, 64);
    requirePositive("--longest", longest, wrong);
    requirePositive("--batch", batch, wrong);
    requirePositive("--queue", queue, wrong);
    requireAtMost(
        "--longest", longest, MOST_INSTRUCTIONS, "an exhaustive search takes years", wrong);
    requireAtMost("--batch", batch, MOST_SEQUENCES, "one call carries all of them", wrong);
    if (tails < 0 || tails > longest) {
      wrong.add(
          "--tails %d: sequences have at most %d instructions; give 0 to send whole sequences"
              .formatted(tails, longest));
    }
  }

  /** Counts the sequences of the calls that may wait, with about 16 bytes per instruction. */
  @Override
  protected double nodeBytes(int nodes) {
    return 16.0 * queue * batch * (longest + 1);
  }

  @Override
  protected String problem() {
    return text(
        "%s in at most %d instructions, %d of which testers add, in calls of %d",
        function, longest, tails, batch);
  }

  @Override
  protected ProgramVersion<List<String>> sequential() {
    return new ProgramVersion<>() {
      private List<String> found = List.of();

      @Override
      public void prepare() {
        found = List.of();
      }

      @Override
      public void run() {
        var search = new SequenceSearch(function);
        for (var length = 1; length <= longest && found.isEmpty(); length++) {
          search.searchFrom(new MachineInstruction[0], length);
          found = search.takeFound().stream().sorted().toList();
        }
      }

      @Override
      public List<String> result() {
        return found;
      }
    };
  }

  @Override
  protected ProgramVersion<List<String>> parallel(ProgramNodes nodes) {
    return new ProgramVersion<>() {
      private final SequenceTester testers =
          Groups.on(nodes.nodes())
              .with(Options.STANDARD.withQueueBound(queue))
              .create(SequenceTester.class, function);
      private final SequenceProducer producer =
          ActiveObjects.on(nodes.nodes().first())
              .create(SequenceProducer.class, testers, tails, batch);
      private List<String> found = List.of();

      @Override
      public void prepare() {
        found = List.of();
      }

      @Override
      public void run() {
        found = Futures.value(producer.search(longest)); // waits for the result
      }

      @Override
      public List<String> result() {
        return found;
      }
    };
  }

  @Override
  protected List<ResultCheck> check(List<String> expected, List<String> found) {
    var equal = ResultCheck.equal("the sequences", summary(expected), summary(found));
    return function == TargetFunction.signum && longest >= 4
        ? List.of(
            equal,
            ResultCheck.equal(
                "whether Massalin's sequence is among them",
                true,
                found.contains(MASSALINS_SIGNUM)))
        : List.of(equal);
  }

  private String summary(List<String> found) {
    return found.isEmpty()
        ? "none"
        : "%d, the first of which is '%s', checksum %s"
            .formatted(found.size(), found.getFirst(), checksum(found));
  }

  @Override
  protected String checksum(List<String> found) {
    return new NumberChecksum().add(String.join("\n", found).chars().toArray()).toString();
  }

  @Override
  protected Map<String, Object> figures(List<String> found) {
    return Map.of("found", found.size(), "sequences", found);
  }
}
