import { APP_PATHS, type AdminPlace } from '#core/contract/paths.ts'

/** Path of one thing in a place of the administration, optionally at one of its tabs. */
export function adminItemPath(place: AdminPlace, id: string, tab?: string) {
  const path = APP_PATHS.adminItem.replace(':place', place).replace(':id', encodeURIComponent(id))
  return tab === undefined ? path : `${path}?${new URLSearchParams({ tab })}`
}
