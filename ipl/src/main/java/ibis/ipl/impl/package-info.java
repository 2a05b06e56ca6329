/** What programs use of the classes behind the interfaces of the layer. */
package ibis.ipl.impl;
