"""How relevant a memory still is: accesses, scores, arithmetic."""
