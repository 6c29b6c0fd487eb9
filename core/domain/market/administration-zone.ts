/** The administration counts its days as accounts without a time zone of their own do. */
export const ADMINISTRATION_ZONE = 'America/New_York'
