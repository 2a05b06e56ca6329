package org.troupe.classics.radix;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class KeysTest {

  @Test
  void sortsListsThatHaveTheirBucketsInOrder() {
    int[] one = {7, Integer.MIN_VALUE, -1, 7, 1 << 22};
    int[] other = {Integer.MAX_VALUE, 0, -(1 << 22), 6};
    var inBuckets = new int[9];
    Keys.copyToBuckets(one, Keys.count(one), inBuckets);
    var ofOther = new int[other.length];
    Keys.copyToBuckets(other, Keys.count(other), ofOther);
    System.arraycopy(ofOther, 0, inBuckets, one.length, other.length);

    var sorted = new int[9];
    Keys.sort(inBuckets, new int[] {0, 5, 9}, sorted);

    assertThat(sorted)
        .containsExactly(Integer.MIN_VALUE, -(1 << 22), -1, 0, 6, 7, 7, 1 << 22, Integer.MAX_VALUE);
  }

  @Test
  void dealsBucketsSoThatMembersGetAboutAsManyKeys() {
    assertThat(Sorter.firstBuckets(new int[] {4, 1, 1, 2, 4, 0}, 3)).containsExactly(0, 1, 4, 6);
    assertThat(Sorter.firstBuckets(new int[] {0, 100, 0}, 3)).containsExactly(0, 1, 2, 3);
    assertThat(Sorter.firstBuckets(new int[] {0, 0}, 2)).containsExactly(0, 0, 2);
    assertThat(Sorter.firstBuckets(new int[] {0, 9}, 3)).containsExactly(0, 1, 2, 2);
  }
}
