export const ADD_WEBHOOK_ID = 'add-webhook'

/** The button that the configure view always has, to go on from where another is gone. */
export function findAddWebhook(): HTMLElement | null {
  return document.getElementById(ADD_WEBHOOK_ID)
}
