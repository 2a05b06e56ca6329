/** For registries of the program's own, which {@code ibis.registry.implementation} names. */
package ibis.ipl.registry;
