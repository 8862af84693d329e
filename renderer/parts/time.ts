import { useEffect, useState } from "react";

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

function two(value: number): string {
  return String(value).padStart(2, "0");
}

function dayAndMonth(date: Date, now: number): string {
  const text = `${date.getDate()} ${months[date.getMonth()] ?? ""}`;
  return date.getFullYear() === new Date(now).getFullYear() ? text : `${text} ${date.getFullYear()}`;
}

/** Age of an ISO 8601 time: `12 s`, `2 min`, `5 h`, `12 d`; older than 14 days a date, `12 Feb`. Empty when it is no time. */
export function age(iso: string, now: number): string {
  const at = Date.parse(iso);
  if (Number.isNaN(at)) return "";
  const passed = Math.max(0, now - at);
  if (passed < minute) return `${Math.floor(passed / second)} s`;
  if (passed < hour) return `${Math.floor(passed / minute)} min`;
  if (passed < 2 * day) return `${Math.floor(passed / hour)} h`;
  if (passed <= 14 * day) return `${Math.floor(passed / day)} d`;
  return dayAndMonth(new Date(at), now);
}

/** The age in a sentence: `4 min ago`, `just now`, `12 Feb`. */
export function ago(iso: string, now: number): string {
  const text = age(iso, now);
  if (/ s$/.test(text)) return "just now";
  return / (min|h|d)$/.test(text) ? `${text} ago` : text;
}

/** Local time with seconds and offset, for a tooltip: `12 Feb 2026 03:14:08 +01:00`. Empty when it is no time. */
export function exactTime(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return "";
  const offset = -at.getTimezoneOffset();
  const sign = offset < 0 ? "−" : "+";
  const zone = `${sign}${two(Math.floor(Math.abs(offset) / 60))}:${two(Math.abs(offset) % 60)}`;
  return `${at.getDate()} ${months[at.getMonth()] ?? ""} ${at.getFullYear()} ${clockTime(iso)} ${zone}`;
}

/** Local time of day: `03:14:08`. Empty when it is no time. */
export function clockTime(iso: string): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return "";
  return `${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`;
}

/** `today 03:14`, `yesterday 22:05`, `9 Mar 11:20`. Empty when it is no time. */
export function dayTime(iso: string, now: number): string {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return "";
  const time = `${two(at.getHours())}:${two(at.getMinutes())}`;
  const startOfToday = new Date(now).setHours(0, 0, 0, 0);
  if (at.getTime() >= startOfToday) return `today ${time}`;
  if (at.getTime() >= new Date(startOfToday - 12 * hour).setHours(0, 0, 0, 0)) return `yesterday ${time}`;
  return `${dayAndMonth(at, now)} ${time}`;
}

/** How long something took: `8 ms`, `3.1 s`, `2 min 10 s`. */
export function duration(ms: number): string {
  if (Math.round(ms) < second) return `${Math.round(ms)} ms`;
  if (ms < 100 * second) return `${(ms / second).toFixed(1)} s`;
  const seconds = Math.round(ms / second);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** The present, renewed every `every` milliseconds, so that ages on the screen do not stand still. */
export function useNow(every = 15_000): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}
