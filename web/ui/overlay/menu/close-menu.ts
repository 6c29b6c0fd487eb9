import { createContext } from 'react'

/** Closes the menu around an item and returns the focus to its button. */
export const CloseMenu = createContext<() => void>(() => undefined)
