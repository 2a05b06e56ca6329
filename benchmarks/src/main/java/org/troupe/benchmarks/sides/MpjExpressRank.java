package org.troupe.benchmarks.sides;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import mpi.MPI;
import org.troupe.benchmarks.harness.ServerProcess;

/** A rank of MPJ Express: repeats operations as it is told, until its input ends. */
final class MpjExpressRank {

  private static final String ANSWER = "answer ";

  private MpjExpressRank() {}

  /** The arguments are those of MPJ Express: the rank, the settings, and the device. */
  static void main(String[] arguments) throws Exception {
    MPI.Init(arguments);
    System.out.println(ANSWER);
    var rank = new RankMember();
    var input = new BufferedReader(new InputStreamReader(System.in));
    for (String line; (line = input.readLine()) != null; ) {
      var words = line.split(" ");
      var times = Integer.parseInt(words[1]);
      System.out.println(ANSWER + RankClient.operation(words[0]).nanos(rank, times));
    }
    System.exit(0);
  }

  /** Waits for the next answer of a rank; the library prints lines of its own. */
  static String answer(ServerProcess rank) throws IOException {
    while (true) {
      var line = rank.receive();
      if (line.startsWith(ANSWER)) {
        return line.substring(ANSWER.length());
      }
    }
  }
}
