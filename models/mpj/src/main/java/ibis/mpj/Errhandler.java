package ibis.mpj;

/** How errors are handled. Either way an error is thrown at the call that is wrong. */
public class Errhandler {

  Errhandler() {}
}
