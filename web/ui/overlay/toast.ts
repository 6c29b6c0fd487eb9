import { Toast } from '@base-ui/react/toast'

export const toastManager = Toast.createToastManager()

/** Callable from anywhere; shown by the Toaster in UiProvider. The same text twice is one toast, not a pile. */
export const toast = {
  success(text: string) {
    toastManager.add({ id: `success:${text}`, description: text, type: 'success' })
  },
  error(text: string) {
    // Polite like the rest: a high priority would write the sentence into the page a second time.
    toastManager.add({
      id: `error:${text}`,
      description: text,
      type: 'error',
      timeout: 8000,
    })
  },
}
