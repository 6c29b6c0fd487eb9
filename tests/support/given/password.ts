/** The password of all users in tests. It meets every rule and is in no list of leaked passwords. */
export const PASSWORD = 'Quartz-Lantern-58'
