package org.troupe.skeletons;

import java.util.List;

/** The code samples of this module's Javadoc. They are compiled, not run. */
final class SkeletonsSnippets {

  private SkeletonsSnippets() {}

  record Image(byte[] content) {}

  record Report(String text) {}

  /** Expensive to make. */
  static class Analyser {
    Report analyse(Image image) {
      return new Report(image.content().length + " bytes");
    }
  }

  static void farm(List<Image> images) {
    // @start region="farm"
    Skeleton<Image, Report> farm =
        Skeletons.farm(Analyser::new, (analyser, image) -> analyser.analyse(image));
    try (Flow<Image, Report> flow = farm.here()) {
      flow.withProgress().each(images, report -> System.out.println(report.text()));
    }
    // @end
  }
}
