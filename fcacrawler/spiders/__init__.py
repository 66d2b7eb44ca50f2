"""Spiders: each fetches; what leaves next is the scheduler's business."""
