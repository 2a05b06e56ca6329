package ibis.mpj;

/** The arrangement of a grid, and the place of the caller. */
public class CartParms {

  public int[] dims;
  public boolean[] periods;
  public int[] coords;

  CartParms(int[] dims, boolean[] periods, int[] coords) {
    this.dims = dims;
    this.periods = periods;
    this.coords = coords;
  }
}
