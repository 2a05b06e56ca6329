package ibis.mpj;

/** The ranks before and behind the caller in one direction. */
public class ShiftParms {

  public int rankSource;
  public int rankDest;

  ShiftParms(int rankSource, int rankDest) {
    this.rankSource = rankSource;
    this.rankDest = rankDest;
  }
}
