export const ADD_WEBHOOK_ID = 'add-webhook'

/** Finds the button that the configure view always has, to focus when another one is gone. */
export function findAddWebhook(): HTMLElement | null {
  return document.getElementById(ADD_WEBHOOK_ID)
}
