/** The zone of accounts without one of their own. The administration counts its days in it, too. */
export const ADMINISTRATION_ZONE = 'America/New_York'
