/** Whoever a test signs up or seeds has this one: it meets every rule, and no list of leaked ones has it. */
export const PASSWORD = 'Quartz-Lantern-58'
