package org.troupe.classics.radix;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RadixKeysTest {

  @Test
  void sortsRunsThatHaveTheirBucketsInOrder() {
    int[] one = {7, Integer.MIN_VALUE, -1, 7, 1 << 22};
    int[] other = {Integer.MAX_VALUE, 0, -(1 << 22), 6};
    var inBuckets = new int[one.length];
    RadixKeys.copyToBuckets(one, RadixKeys.count(one), inBuckets);
    var othersInBuckets = new int[1 + other.length];
    RadixKeys.copyToBuckets(other, RadixKeys.count(other), othersInBuckets);
    System.arraycopy(othersInBuckets, 0, othersInBuckets, 1, other.length);

    var sorted = new int[9];
    RadixKeys.sort(
        List.of(new RadixKeys.Run(inBuckets, 0, 5), new RadixKeys.Run(othersInBuckets, 1, 5)),
        sorted);

    assertThat(sorted)
        .containsExactly(Integer.MIN_VALUE, -(1 << 22), -1, 0, 6, 7, 7, 1 << 22, Integer.MAX_VALUE);
  }

  @Test
  void assignsBucketsSoThatMembersGetAboutEquallyManyKeys() {
    assertThat(KeySorter.firstBuckets(new int[] {4, 1, 1, 2, 4, 0}, 3)).containsExactly(0, 1, 4, 6);
    assertThat(KeySorter.firstBuckets(new int[] {0, 100, 0}, 3)).containsExactly(0, 1, 2, 3);
    assertThat(KeySorter.firstBuckets(new int[] {0, 0}, 2)).containsExactly(0, 0, 2);
    assertThat(KeySorter.firstBuckets(new int[] {0, 9}, 3)).containsExactly(0, 1, 2, 2);
  }
}
