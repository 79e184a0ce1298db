/** Where memory is switched off, nothing of it is given out: of all that is offered only the context is left, which says so. */
export const SWITCHED_OFF = "Long-term memory is switched off (memory_backend): there are no tools on it.";
