const ROWS_ONLY = 'Channels tell changes of rows only.'

/** Refusals of features that channels of other services have. */
export const NO_BROADCAST = `BroadcastNotAvailable: This server sends no broadcasts. ${ROWS_ONLY}`
export const NO_PRESENCE = `PresenceNotAvailable: This server keeps no presence. ${ROWS_ONLY}`
