"""Operations that create URLs from URLs. One file each."""
