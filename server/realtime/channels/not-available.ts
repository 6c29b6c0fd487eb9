const ROWS_ONLY = 'Channels tell changes of rows only.'

/** What channels of other services offer and these do not, refused by name. */
export const NO_BROADCAST = `BroadcastNotAvailable: This server sends no broadcasts. ${ROWS_ONLY}`
export const NO_PRESENCE = `PresenceNotAvailable: This server keeps no presence. ${ROWS_ONLY}`
